// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {Initializable} from "@openzeppelin/contracts/proxy/utils/Initializable.sol";
import {TreasuryDelegate} from "src/TreasuryDelegate.sol";
import {IPausable} from "src/interfaces/IPausable.sol";
import {IStablecoinDelegateAdmin} from "src/interfaces/IStablecoinDelegateAdmin.sol";
import {ITreasuryDelegate} from "src/interfaces/ITreasuryDelegate.sol";
import {DelegateTest} from "test/helpers/DelegateTest.sol";

contract TreasuryDelegateInitializeTest is DelegateTest {
    struct Params {
        address coreAdmin;
        address issuerAdmin;
        address coreSwap;
        bytes32 id;
        address token;
        uint256 rate;
        uint256 fee;
        address ratePoster;
    }

    TreasuryDelegate private implementation;

    function setUp() public override {
        super.setUp();
        implementation = new TreasuryDelegate();
    }

    function test_WhenEveryParameterIsValid() public view {
        assertEq(delegate.coreSwap(), address(core));
        assertEq(delegate.stablecoinID(), trsy);
        assertEq(delegate.stablecoinAddress(), address(treasury));
        assertEq(delegate.treasury(), address(treasury));
        assertTrue(delegate.issuerAdmins(issuer));
        assertEq(delegate.managementFee(), FEE);
        assertEq(delegate.maxDailyRate(), 0.2e18);
        assertEq(delegate.maxFallbackRateSeconds(), 3 days);
        assertEq(delegate.firstRateDay(), 0);
        assertEq(delegate.lastRatePostingDay(), 0);
        assertEq(delegate.getCurrentDay(), DAY_ZERO);

        _assertOnlyMember(delegate.DEFAULT_ADMIN_ROLE(), admin);
        _assertOnlyMember(delegate.PAUSE_ROLE(), admin);
        _assertOnlyMember(delegate.RATE_POSTER_ROLE(), poster);
        _assertOnlyMember(delegate.CORE_SWAP_CONTRACT(), address(core));
        // The fixture adds a second one.
        assertEq(delegate.getRoleMember(delegate.OPERATOR_ROLE(), 0), admin);
    }

    function test_WhenDaysAreNotPosted() public view {
        (uint256 rate, bool posted) = delegate.getDailyRate(DAY_ZERO);
        assertEq(rate, RATE - FEE);
        assertFalse(posted);
        assertEq(delegate.dailyRates(DAY_ZERO), 0);
    }

    function test_WhenTheInitialRateIsBelowTheFee() public {
        (uint256 rate,) = _deployTreasuryDelegate(FEE - 1, FEE).getDailyRate(DAY_ZERO);
        assertEq(rate, 0);
    }

    function test_WhenTheClockOfTheChainStartsAtZero() public {
        vm.warp(1);
        delegate = _deployTreasuryDelegate(RATE, FEE);
        vm.warp(2 days);
        _assertReverts(
            poster,
            abi.encodeCall(delegate.postDailyRate, (0, RATE)),
            abi.encodeWithSelector(ITreasuryDelegate.MustPostSequentially.selector, 0, 1)
        );
        _post(1, RATE);
        assertEq(delegate.firstRateDay(), 1);
    }

    function test_WhenRateAndFeeAreAtTheBoundsOfTheirSetters() public {
        TreasuryDelegate deployed = _deployTreasuryDelegate(0.2e18, 0.05e18);
        assertEq(deployed.managementFee(), 0.05e18);
    }

    function test_RevertWhen_RateOrFeeIsBeyondTheBoundsOfItsSetter() public {
        Params memory p = _params();
        p.fee = 0.05e18 + 1;
        _assertRefused(p, abi.encodeWithSelector(ITreasuryDelegate.ManagementFeeTooHigh.selector, p.fee));
        p = _params();
        p.rate = 0.2e18 + 1;
        _assertRefused(p, abi.encodeWithSelector(ITreasuryDelegate.RateTooHigh.selector, p.rate, 0.2e18));
    }

    function test_RevertWhen_AParameterIsWrong() public {
        bytes memory invalid = abi.encodePacked(IStablecoinDelegateAdmin.InvalidInitializationParams.selector);
        Params memory p = _params();
        p.coreAdmin = address(0);
        _assertRefused(p, invalid);
        p = _params();
        p.id = 0;
        _assertRefused(p, invalid);
        p = _params();
        p.ratePoster = address(0);
        _assertRefused(p, invalid);
        p = _params();
        p.issuerAdmin = address(0);
        _assertRefused(p, abi.encodePacked(IStablecoinDelegateAdmin.InvalidIssuerAdmin.selector));
        p = _params();
        p.coreSwap = stranger;
        _assertRefused(p, abi.encodePacked(IStablecoinDelegateAdmin.InvalidCoreSwap.selector));
        p = _params();
        p.token = stranger;
        _assertRefused(p, abi.encodeWithSelector(IStablecoinDelegateAdmin.InvalidStablecoinAsset.selector, stranger));
    }

    function test_RevertWhen_TheProxyOrTheImplementationIsInitializedAgain() public {
        bytes memory data = _encode(_params());
        bytes memory expected = abi.encodePacked(Initializable.InvalidInitialization.selector);
        _assertReverts(admin, data, expected);
        (bool success, bytes memory reason) = address(implementation).call(data);
        assertFalse(success);
        assertEq(reason, expected);
    }

    function _assertOnlyMember(bytes32 role, address member) private view {
        address[] memory members = delegate.getRoleMembers(role);
        assertEq(members.length, 1);
        assertEq(members[0], member);
    }

    function _params() private view returns (Params memory) {
        return Params(admin, issuer, address(core), trsy, address(treasury), RATE, FEE, poster);
    }

    function _encode(Params memory p) private pure returns (bytes memory) {
        // The members are static, so the struct's encoding is that of the arguments.
        return abi.encodePacked(TreasuryDelegate.initialize.selector, abi.encode(p));
    }

    function _assertRefused(Params memory p, bytes memory expected) private {
        bytes memory data = _encode(p);
        vm.expectRevert(expected);
        new ERC1967Proxy(address(implementation), data);
    }

    function test_WhenAFreshProxyIsInitialized() public {
        // The proxy's constructor requires a call; this one has no effect.
        address proxy = address(new ERC1967Proxy(address(implementation), abi.encodeWithSignature("paused()")));
        _watch(proxy, abi.encodeCall(delegate.firstRateDay, ()));
        _watch(proxy, abi.encodeCall(delegate.lastRatePostingDay, ()));
        _expectDelegate(proxy, trsy, address(treasury), issuer);
        _expectAnswer(proxy, abi.encodeCall(delegate.getDailyRate, (DAY_ZERO)), abi.encode(RATE - FEE, false));
        _expectAnswer(proxy, abi.encodeCall(delegate.maxDailyRate, ()), 0.2e18);
        _expectEvent(proxy);
        emit ITreasuryDelegate.MaxDailyRateUpdated(0, 0.2e18);
        _expectAnswer(proxy, abi.encodeCall(delegate.maxFallbackRateSeconds, ()), 3 days);
        _expectEvent(proxy);
        emit ITreasuryDelegate.MaxFallbackRateSecondsUpdated(0, 3 days);
        _expectAnswer(proxy, abi.encodeCall(delegate.managementFee, ()), FEE);
        _expectEvent(proxy);
        emit ITreasuryDelegate.ManagementFeeUpdated(0, FEE);
        _expectRole(proxy, delegate.OPERATOR_ROLE(), admin);
        _expectRole(proxy, delegate.RATE_POSTER_ROLE(), poster);
        _expectEvent(proxy);
        emit Initializable.Initialized(1);
        // The places of five members, and the version.
        _expectHiddenSlots(6);
        _assertEffects(stranger, proxy, _encode(_params()));
    }

    function _expectDelegate(address proxy, bytes32 id, address token, address issuerAdmin) private {
        bytes32 role = delegate.CORE_SWAP_CONTRACT();
        _watch(proxy, abi.encodeCall(IPausable.paused, ()));
        _watch(proxy, abi.encodeCall(delegate.stablecoinCustodyAddress, ()));
        _expectRole(proxy, 0x00, admin);
        _expectRole(proxy, delegate.PAUSE_ROLE(), admin);
        _expectAnswer(proxy, abi.encodeCall(IAccessControl.getRoleAdmin, (role)), abi.encode(role));
        _expectEvent(proxy);
        emit IAccessControl.RoleAdminChanged(role, 0x00, role);
        _expectRole(proxy, role, address(core));
        _expectAnswer(proxy, abi.encodeCall(delegate.coreSwap, ()), address(core));
        _expectAnswer(proxy, abi.encodeCall(delegate.stablecoinID, ()), abi.encode(id));
        _expectAnswer(proxy, abi.encodeCall(delegate.stablecoinAddress, ()), token);
        _expectAnswer(proxy, abi.encodeCall(delegate.issuerAdmins, (issuerAdmin)), true);
        _expectEvent(proxy);
        emit IStablecoinDelegateAdmin.IssuerAdminAdded(issuerAdmin);
    }

    /// Expects a role given at initialization: it is held, listed, and has a place in the set, which no view reads.
    function _expectRole(address proxy, bytes32 role, address account) private {
        address[] memory members = new address[](1);
        members[0] = account;
        _expectAnswer(proxy, abi.encodeCall(IAccessControl.hasRole, (role, account)), true);
        _expectAnswer(proxy, abi.encodeWithSignature("getRoleMembers(bytes32)", role), abi.encode(members));
        _expectEvent(proxy);
        emit IAccessControl.RoleGranted(role, account, stranger);
    }
}
